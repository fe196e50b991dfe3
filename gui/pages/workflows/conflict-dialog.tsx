import { useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import { mergedText } from './merged-text.ts'
import type { Source } from './source.ts'
import type { Definition } from './use-definition.ts'

/**
 * Dialog for a definition that somebody else has saved meanwhile: their text beside one with the changes of both, which is
 * saved once it is right.
 */
export function ConflictDialog({ definition }: { definition: Definition }) {
  if (!definition.conflict) return null
  return <Merge key={definition.conflict.etag} definition={definition} theirs={definition.conflict} />
}

function Merge({ definition, theirs }: { definition: Definition; theirs: Source }) {
  const [{ text: first, conflicts }] = useState(() => mergedText(definition.base.text, theirs.text, definition.text))
  const [merged, setMerged] = useState(first)
  // The user who created it is not always the one who saved it last.
  const { version } = theirs.version.attributes
  const postpone = () => definition.postpone(merged)
  return (
    <Dialog
      open
      kind="sheet"
      onClose={postpone}
      title={texts.conflictTitle}
      description={texts.conflictDetail(version)}
      footer={
        <>
          <Button onClick={postpone}>{texts.conflictLater}</Button>
          <Button onClick={() => definition.resolve(theirs.text)}>{texts.conflictTheirs}</Button>
          <Button variant="primary" onClick={() => definition.resolve(merged)}>
            {texts.conflictSave}
          </Button>
        </>
      }
    >
      <p role="status">{texts.mergedFrom(conflicts)}</p>
      <Diff
        before={theirs.text}
        after={merged}
        beforeLabel={texts.theirs(version)}
        afterLabel={texts.merged}
        language="yaml"
        onChange={setMerged}
      />
    </Dialog>
  )
}
