const units = ['kB', 'MB', 'GB', 'TB'] as const

/** `820 B`, `1.4 kB`, `38 MB`: a size in bytes, in powers of 1,000. */
export function byteSize(bytes: number): string {
  let [size, unit] = [bytes, -1]
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000
    unit += 1
  }
  const name = units[unit]
  return name === undefined ? `${bytes} B` : `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${name}`
}
