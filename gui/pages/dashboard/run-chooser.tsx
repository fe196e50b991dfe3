import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import type { Asset } from '../../api/records.ts'
import { faultText } from '../../components/state/state.tsx'
import { dashboard as texts } from '../../messages/dashboard.ts'
import { PaletteDialog } from '../../shell/palette-dialog.tsx'
import { useNodeSections } from '../../shell/palette-entries.ts'
import { canHaveChanges, type NodeRecord, splatOf } from '../projects/node.ts'
import { whyNotRun } from '../projects/why-not.ts'

/** Dialog that chooses the node on which something is run; the run dialog of the node follows. */
export default function RunChooser({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const { sections, error } = useNodeSections(text.trim())
  const choice = useMutation({
    mutationFn: async (path: string) => {
      const node: NodeRecord = await sluice().show<Asset>(`/api${path}`)
      return canHaveChanges(node) ? whyNotRun(node) : texts.runNothing
    },
    onSuccess: (reason, path) => {
      if (reason === undefined)
        void navigate({ to: '/projects/$', params: { _splat: splatOf(path) }, search: { run: '' } })
    },
  })
  return (
    <PaletteDialog
      title={texts.runOn}
      text={text}
      onText={value => {
        choice.reset()
        setText(value)
      }}
      sections={sections}
      error={error}
      note={choice.isError ? faultText(choice.error) : choice.data}
      onChoose={({ to }) => choice.mutate(to)}
      onClose={onClose}
    />
  )
}
