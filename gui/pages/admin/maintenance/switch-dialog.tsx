import { useMutation, useQueryClient } from '@tanstack/react-query'
import { anyVersion, sluice, write } from '../../../api/client.ts'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { maintenance as texts } from '../../../messages/admin.ts'
import { countsText, type DrainStatus, refreshMaintenance } from '../../../shell/maintenance.ts'
import styles from './maintenance.module.css'
import { type Mode, warningsIn } from './mode.ts'

interface SwitchDialogProps {
  readonly mode: Mode
  readonly status: DrainStatus
  readonly onClose: () => void
}

/** Dialog that says what a mode stops before it switches to it. */
export function SwitchDialog({ mode, status, onClose }: SwitchDialogProps) {
  const { title, effects, action, done } = texts.modes[mode]
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => switchMode(mode),
    onSuccess: async warnings => {
      await refreshMaintenance(cache)
      // A mode that the environment overrides is stored, and not in force.
      toast.done(warnings.length > 0 ? warnings.join(' ') : done)
      onClose()
    },
  })
  return (
    <Confirm open onClose={onClose} title={title} action={action} busy={isPending} onConfirm={() => mutate()}>
      <ul className={styles['effects']}>
        {effects.map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {mode !== 'disabled' && (
        <p className={styles['now']}>
          {status.drained ? texts.nothingNow : texts.inProgressNow(countsText(status.active_counts))}
        </p>
      )}
      <FormError text={error ? faultText(error) : undefined} />
    </Confirm>
  )
}

/** Stores the mode in the settings of the installation; returns warnings. */
async function switchMode(mode: Mode): Promise<string[]> {
  const configuration = await sluice().show('/api/system_configuration')
  const settings = configuration.relationships?.['settings']?.links?.related
  if (settings === undefined) throw new Error(texts.noSettings)
  const attributes = { data: { maintenance_mode: mode } }
  return warningsIn((await write('PATCH', settings, { attributes }, anyVersion)).meta)
}
