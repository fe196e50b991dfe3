const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** Size in decimal units: `812 bytes`, `41.2 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toFixed(value < 100 ? 1 : 0)} ${units[power]}`
}
