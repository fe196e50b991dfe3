/** Reference to a secret, which the API returns in place of its value. */
export const isSecret = (value: unknown): value is string => typeof value === 'string' && value.startsWith('secret://')
