/** Texts of background tasks of assets and agents. */
export const backgroundTasks = {
  title: 'Background tasks',
  none: 'No background task has run yet.',
  types: {
    BuildAgentImageTask: 'Build the image',
    StartAgentTask: 'Start the agent',
    StopAgentTask: 'Stop the agent',
    GenerateActionsRequest: 'Read the actions',
    GenerateModelTask: 'Generate the model',
  } as Readonly<Record<string, string>>,
  numbered: (type: string, number: number) => `${type} #${number}`,
  by: 'by',
  log: 'Log of the task',
  noLines: 'The task has written nothing.',
  waits: 'Waits:',
  waitReasons: {
    maintenance: (by: string) => `maintenance mode is on (by ${by})`,
    slot: (by: string) => `no free slot: ${by}`,
  } as Readonly<Record<string, (by: string) => string>>,
  cancel: 'Cancel',
  cancelOf: (task: string) => `Cancel ${task}`,
  cancelled: (task: string) => `Cancelling ${task}`,
  refresh: 'Refresh the actions',
  refreshing: 'Reading the actions again',
  inProgress: 'The actions are being read already.',
  needsExecute: 'You need the right "execute" on this node.',
} as const
