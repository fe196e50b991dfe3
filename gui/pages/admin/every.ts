/** Milliseconds between reads of what no live stream reports. */
export const every = 15_000
