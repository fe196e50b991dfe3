const schemes = ['http:', 'https:', 'mailto:']

/** The address if a browser may open it from a link; undefined for scripts and other schemes, and for no address. */
export function safeUrl(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  return schemes.includes(new URL(url).protocol) ? url : undefined
}
