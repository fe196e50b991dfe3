import type { ComponentProps } from 'react'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { Blockers } from './blockers.tsx'

interface ConfirmUnusedProps extends Omit<ComponentProps<typeof Confirm>, 'open' | 'children'> {
  /** Error of the last attempt. */
  readonly error: unknown
}

/** Dialog that asks before a record is archived or deleted; a refusal names what uses the record. */
export const ConfirmUnused = ({ error, ...dialog }: ConfirmUnusedProps) => (
  <Confirm {...dialog} open>
    <FormError text={error ? faultText(error) : undefined} />
    <Blockers error={error} onFollow={dialog.onClose} />
  </Confirm>
)
