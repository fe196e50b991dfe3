/** Error for a refusal by the service or by the archive itself, which a retry would meet again. */
export class Refused extends Error {}
