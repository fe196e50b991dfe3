import { formFaults } from '../../../components/field/faults.ts'
import { faultText } from '../../../components/state/state.tsx'
import styles from './form-error.module.css'

const pointerOf = (attribute: string): string => `/data/attributes/${attribute}`

/** Error of the field of an attribute, from a refused request. */
export function errorsOf(error: unknown): (attribute: string) => string | undefined {
  const faults = formFaults(error)
  return attribute => faults.at(pointerOf(attribute))
}

/** What was wrong with a form, unless all of it is shown beside its fields. */
export function FormError({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  if (!formFaults(error).hasOthers(fields.map(pointerOf))) return null
  return (
    <p className={styles['error']} role="alert">
      {faultText(error)}
    </p>
  )
}
