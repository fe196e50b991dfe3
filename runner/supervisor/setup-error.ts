/** The service or the archive itself says no, and will say the same again. */
export class Refused extends Error {}
