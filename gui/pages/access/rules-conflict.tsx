import { TriangleAlert } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { type RuleDraft, rulesText } from './rule-drafts.ts'
import styles from './rules-editor.module.css'

interface NoticeProps {
  readonly onCompare: () => void
  readonly onDiscard: () => void
}

/** Notice that somebody else has saved rules of the policy while these were edited. */
export const RulesConflictNotice = ({ onCompare, onDiscard }: NoticeProps) => (
  <div className={styles['conflict']} role="alert">
    <TriangleAlert size={17} aria-hidden />
    <div>
      <p className={styles['conflictTitle']}>{general.changedMeanwhile}</p>
      <p>{texts.rulesConflict}</p>
    </div>
    <Button size="small" onClick={onCompare}>
      {texts.compareRules}
    </Button>
    <Button size="small" variant="danger" onClick={onDiscard}>
      {general.takeTheirs}
    </Button>
  </div>
)

interface DialogProps {
  readonly theirs: readonly RuleDraft[]
  readonly mine: readonly RuleDraft[]
  readonly onClose: () => void
  readonly onTakeTheirs: () => void
  readonly onSaveMine: () => void
}

/** Dialog with the rules that were saved beside the edited ones, of which one is kept. */
export const RulesConflictDialog = ({ theirs, mine, onClose, onTakeTheirs, onSaveMine }: DialogProps) => (
  <Dialog
    open
    kind="sheet"
    onClose={onClose}
    title={texts.rulesConflictTitle}
    description={texts.rulesConflictDetail}
    footer={
      <>
        <Button onClick={onClose}>{texts.editFurther}</Button>
        <Button variant="danger" onClick={onTakeTheirs}>
          {general.takeTheirs}
        </Button>
        <Button variant="primary" onClick={onSaveMine}>
          {texts.saveMine}
        </Button>
      </>
    }
  >
    <Diff
      before={rulesText(theirs)}
      after={rulesText(mine)}
      beforeLabel={texts.theirRules}
      afterLabel={texts.myRules}
      language="yaml"
    />
  </Dialog>
)
