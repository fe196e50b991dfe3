/** Name in Unicode form NFC with the letters A to Z in lower case: equal for two spellings of the same name. */
export const foldedName = (name: string): string =>
  name.normalize('NFC').replace(/[A-Z]+/g, letters => letters.toLowerCase())
