import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Checkbox, TextArea, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { encryption as texts } from '../../messages/encryption.ts'
import type { Token } from './leaves.ts'
import { placeOfName, secretName, tokensOfText } from './property-path.ts'

interface EncryptDialogProps {
  readonly nodePath: string
  /** Path of the property as it is written: `database.password`; empty if it is to be typed. */
  readonly property: string
  /** Why a property cannot be set in the text as it is now; undefined if it can. */
  readonly whyNot: (tokens: readonly Token[]) => Promise<string | undefined>
  /** Called with the reference to the stored secret. */
  readonly onStored: (tokens: readonly Token[], reference: string) => Promise<void>
  readonly onClose: () => void
}

/**
 * Dialog that stores a secret of a node, whose reference then stands in the text. The value is in this form only: it is
 * sent once, and gone when the dialog closes.
 */
export function EncryptDialog({ nodePath, property, whyNot, onStored, onClose }: EncryptDialogProps) {
  const [text, setText] = useState(property)
  const [typedName, setName] = useState<string>()
  const [value, setValue] = useState('')
  const [isLong, setIsLong] = useState(false)
  const [propertyFault, setPropertyFault] = useState<string>()
  const tokens = tokensOfText(text)
  const name = typedName ?? (tokens ? secretName(tokens) : '')
  const store = useMutation({
    mutationFn: async () => {
      const fault = tokens ? await whyNot(tokens) : texts.malformed
      setPropertyFault(fault)
      if (!tokens || fault !== undefined) return
      const attributes = { node_path: nodePath, ...placeOfName(name), value }
      const answer = await sluice().send('POST', '/api/secrets/encrypt', { data: { attributes } })
      await onStored(tokens, (answer as unknown as Document<Resource<{ reference: string }>>).data.attributes.reference)
      onClose()
    },
    // Nothing of it stays in the cache.
    gcTime: 0,
  })
  const { fields, other } = fieldFaults(store.error, ['path', 'key', 'value'])
  const secret = { label: texts.value, value, onChange: setValue, error: fields['value'], required: true }
  return (
    <FormDialog
      title={texts.title}
      description={texts.detail}
      action={texts.submit}
      busy={store.isPending}
      error={other}
      onSubmit={() => store.mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.property}
        hint={texts.propertyHint}
        value={text}
        onChange={typed => {
          setText(typed)
          setPropertyFault(undefined)
        }}
        error={propertyFault}
        required
        autoComplete="off"
        spellCheck={false}
      />
      {isLong ? (
        <TextArea {...secret} hint={texts.longHint} code rows={6} autoComplete="off" />
      ) : (
        <TextField {...secret} hint={texts.valueHint} type="password" autoComplete="new-password" />
      )}
      <Checkbox label={texts.long} checked={isLong} onChange={setIsLong} />
      <TextField
        label={texts.name}
        hint={texts.nameHint(nodePath, name)}
        value={name}
        onChange={setName}
        error={fields['path'] ?? fields['key']}
        required
        pattern="[^\/\s]+(\/[^\/\s]+)+"
        title={texts.nameShape}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}
