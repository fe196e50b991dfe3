/** What was typed makes no sense: the command ends with 2, and says what would. */
export class WrongUsage extends Error {}
