/**
 * Time in the user's zone as a field for dates and times holds it, `2026-11-24T14:03`.
 *
 * @param at ISO 8601; empty if there is none
 */
export function toLocalField(at: string | undefined): string {
  if (at === undefined) return ''
  const time = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Time of such a field as ISO 8601 in UTC; undefined if it is empty or incomplete. */
export function fromLocalField(text: string): string | undefined {
  const time = new Date(text)
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
