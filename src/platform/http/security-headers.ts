const forApi = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Responses depend on the caller and are outdated at once: they are cached only to be compared by ETag.
  'cache-control': 'private, no-cache',
} as const

const forPages = {
  ...forApi,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
} as const

export const securityHeaders = (url: string): Readonly<Record<string, string>> =>
  url.startsWith('/api-docs') ? forPages : forApi
