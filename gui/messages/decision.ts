/** Texts of the decisions on waiting steps. */
export const decision = {
  titles: {
    approve: (step: string) => `Approve “${step}”`,
    reject: (step: string) => `Reject “${step}”`,
    continue: (step: string) => `Continue “${step}”`,
  },
  descriptions: {
    approve: 'The step continues once it has all required approvals.',
    reject: 'The activity ends as rejected. Steps that run in parallel finish, all others are aborted.',
    continue: 'The step continues at once.',
  },
  open: { approve: 'Approve…', reject: 'Reject…', continue: 'Continue…' },
  actions: { approve: 'Approve', reject: 'Reject', continue: 'Continue' },
  done: {
    approve: (step: string) => `Approved “${step}”`,
    reject: (step: string) => `Rejected “${step}”`,
    continue: (step: string) => `Continued “${step}”`,
  },
  notRead: 'What the step asks for could not be read.',
  message: 'Message',
  messageHint: 'Optional. It is recorded with the decision.',
  optional: (label: string) => `${label} (optional)`,
  choose: 'Choose…',
  defaultValue: (value: string) => `Default: ${value}`,
  hasDefault: 'Leave empty to use the default.',
  json: 'As JSON',
  sensitive: 'Stored encrypted and masked in logs.',
  approvals: (given: number, required: number) => `${given} of ${required} approvals`,
  approvedBy: (users: string) => `Approved by ${users}`,
  approvers: (names: string) => `Approvers: ${names}`,
  group: (name: string) => `group ${name}`,
} as const
