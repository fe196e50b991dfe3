import type { ReactNode } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import type { Language } from '../../components/editor/place.ts'
import { Time } from '../../components/time/time.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import type { OwnRecord } from './own-record.ts'

interface EditorToolbarProps {
  /** Version that the text is based on. */
  readonly record: OwnRecord
  readonly language?: Language
  readonly onLanguage?: (language: Language) => void
  readonly isDirty: boolean
  readonly readOnlyReason: string | undefined
  /** Why the text cannot be saved now, though it has changed. */
  readonly saveReason?: string | undefined
  /** Other actions on the text. */
  readonly more?: ReactNode
  readonly onReview: () => void
  readonly onDiscard: () => void
}

/** Line above an editor: version, language, and the buttons that save or discard. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { record, language, onLanguage, isDirty, readOnlyReason, saveReason, more, onReview, onDiscard } = props
  const { version, created_by: user, updated_at: at } = record.attributes
  return (
    <div className={styles['toolbar']}>
      <span className={styles['soft']}>
        {texts.savedVersion(version, user)} · <Time at={at} />
      </span>
      {onLanguage && (
        <fieldset className={styles['choice']}>
          <legend className="visually-hidden">{texts.language}</legend>
          {(['yaml', 'json'] as const).map(each => (
            <Chip key={each} pressed={each === language} onPress={() => onLanguage(each)}>
              {texts.languages[each]}
            </Chip>
          ))}
        </fieldset>
      )}
      <span className={styles['space']} />
      {readOnlyReason !== undefined ? (
        <span className={styles['readOnly']}>{readOnlyReason}</span>
      ) : (
        <>
          {more}
          {isDirty && (
            <Button variant="quiet" onClick={onDiscard}>
              {texts.discard}
            </Button>
          )}
          <Button variant="primary" disabledReason={isDirty ? saveReason : texts.noChanges} onClick={onReview}>
            {texts.review}
          </Button>
        </>
      )}
    </div>
  )
}
