/** Formats a share from 0 to 1 as a percentage. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`
}

/** Formats minutes for people. */
export function duration(minutes: number | null | undefined): string {
  if (minutes === null || minutes === undefined) return '–'
  const whole = Math.round(Math.abs(minutes))
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  const text = [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ') || '0 min'
  return minutes < 0 && whole > 0 ? `−${text}` : text
}
