const units = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const
const form = /^P(?=.)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; NaN where the text is none. */
export function durationMs(text: string): number {
  if (!form.test(text)) return Number.NaN
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,3})?)([WDHMS])/g)]
  return Math.round(
    parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit as keyof typeof units], 0),
  )
}
