/** Texts of the dialog that stores a secret and puts its reference into the properties. */
export const encryption = {
  open: 'Encrypt a value…',
  openFor: 'Set an encrypted value on this node…',
  title: 'Encrypt a value',
  detail:
    'The value is stored in the vault, and only a reference to it stands in the properties. Storing it is recorded, the value never is.',
  submit: 'Encrypt and insert',
  property: 'Property',
  propertyHint: 'Where the reference stands in the text: database.password',
  malformed: 'Write the keys with dots between them: database.password',
  noPlace: 'The text has no such place: a part of the path is a value of its own.',
  hasProblems: 'The text has problems. Correct them first.',
  value: 'Value',
  valueHint: 'At least 4 characters. It cannot be shown here again.',
  longHint: 'Shown while you type. It cannot be shown here again.',
  long: 'Several lines, such as a private key',
  name: 'Name of the secret',
  nameHint: (nodePath: string, name: string) =>
    `Stored as secret:/${nodePath}/${name || '…'}. A secret that is stored there already is replaced, for everything that refers to it.`,
  nameShape: 'At least two names with a / between them, without blanks',
  inserted: 'The value is encrypted. Review and save the properties to use it.',
  needsStore: 'You need the right "update" on the secrets of this node.',
} as const
