/** Wrong usage of the command line; exit status 2. */
export class WrongUsage extends Error {}
