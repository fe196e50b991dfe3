/** Texts of the log of an activity. */
export const log = {
  label: 'Log',
  labelOf: (step: string) => `Log of ${step}`,
  onlyStep: (step: string) => `Only ${step}`,
  showAll: 'Show the log of all steps',
  find: 'Find in the log',
  matches: (current: number, total: number, exact: boolean) =>
    `${current === 0 ? '–' : current} of ${total.toLocaleString('en')}${exact ? '' : '+'}`,
  noMatches: 'No matches',
  next: 'Next match (n)',
  previous: 'Previous match (p)',
  nextError: 'Next error (e)',
  errorCount: (count: number, exact: boolean) =>
    count === 1 ? '1 error line' : `${count.toLocaleString('en')}${exact ? '' : '+'} error lines`,
  follow: 'Follow',
  followHint: 'Show new lines as they come (f)',
  download: 'Download the log',
  lines: (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`),
  empty: 'This step printed nothing',
  emptyActivity: 'Nothing has been printed',
  emptyRunning: 'Nothing has been printed yet',
  emptyDetail: 'Lines appear here as soon as a step prints them.',
  line: (number: number) => `Line ${number}`,
  errorLine: (number: number) => `Line ${number}, error`,
  chosenLines: (from: number, to: number) =>
    from === to ? `Line ${from.toLocaleString('en')}` : `Lines ${from.toLocaleString('en')}–${to.toLocaleString('en')}`,
  copyLines: 'Copy',
  copyLink: 'Copy link',
  copied: 'Copied',
  tooManyLines: (most: number) => `At most ${most.toLocaleString('en')} lines can be copied. Download the log instead.`,
  clearLines: 'Clear the selection',
  cut: (characters: number) => ` … ${characters.toLocaleString('en')} more characters: download the log to read them`,
} as const
