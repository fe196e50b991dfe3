import { useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import type { Source } from './source.ts'
import type { Definition } from './use-definition.ts'

/** Dialog for a definition that somebody else has saved meanwhile: both texts side by side, of which one is made. */
export function ConflictDialog({ definition }: { definition: Definition }) {
  if (!definition.conflict) return null
  return <Merge key={definition.conflict.etag} definition={definition} theirs={definition.conflict} />
}

function Merge({ definition, theirs }: { definition: Definition; theirs: Source }) {
  const [merged, setMerged] = useState(definition.text)
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
      <Diff
        before={theirs.text}
        after={merged}
        beforeLabel={texts.theirs(version)}
        afterLabel={texts.mine}
        language="yaml"
        onChange={setMerged}
      />
    </Dialog>
  )
}
