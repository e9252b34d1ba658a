/** The milliseconds per unit, in the order of the groups below. */
const units = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const
const form = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds to milliseconds; NaN if it is not valid. */
export function durationMs(text: string): number {
  const parts = form.exec(text)
  if (!parts) return Number.NaN
  return Math.round(units.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0))
}
