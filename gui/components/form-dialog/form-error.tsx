import styles from './form-dialog.module.css'

/** What was wrong with a form beside the errors of its fields. */
export const FormError = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles['error']} role="alert">
      {text}
    </p>
  )
