/** Minimum length of a secret in characters: a shorter one cannot be masked in a log without masking the log itself. */
export const shortestSecret = 4
