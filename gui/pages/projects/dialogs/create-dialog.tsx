import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { Select, TextArea, TextField } from '../../../components/field/field.tsx'
import { fieldFaults } from '../../../components/field/field-faults.ts'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import { collectionOf, type NodeRecord, type NodeType, nodePath, projectPathOf, splatOf } from '../node.ts'
import { codeFromName } from './code-from-name.ts'
import { refreshNode } from './refresh-node.ts'
import { TemplateFields } from './template-fields.tsx'

interface CreateDialogProps {
  readonly type: NodeType
  /** Path of the node that holds the new one; undefined for a project. */
  readonly parent?: string
  readonly onClose: () => void
}

const names = ['name', 'code', 'description', 'project_type', 'template_code', 'template_version']

/** Dialog that creates a project, or a node below another. */
export function CreateDialog({ type, parent, onClose }: CreateDialogProps) {
  const [name, setName] = useState('')
  const [typedCode, setTypedCode] = useState<string>()
  const [description, setDescription] = useState('')
  const [projectType, setProjectType] = useState('Enterprise')
  const [template, setTemplate] = useState({ code: '', version: '' })
  const code = typedCode ?? codeFromName(name)
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      sluice().create(`/api${parent ?? ''}/${collectionOf[type]}`, {
        name,
        code,
        ...(description !== '' && { description }),
        ...(type === 'project' && { project_type: projectType }),
        ...(needsTemplate(type) && { template_code: template.code, template_version: template.version }),
      }) as Promise<NodeRecord>,
    onSuccess: async node => {
      const path = nodePath(node)
      toast.done(texts.created(path))
      await refreshNode(cache, parent ?? path)
      // Also closes this dialog, which is part of the address.
      await navigate({ to: '/projects/$', params: { _splat: splatOf(path) } })
    },
  })
  const { fields, other } = fieldFaults(error, names)
  return (
    <FormDialog
      title={texts.create[type]}
      description={parent && texts.in(parent)}
      action={texts.submit}
      busy={isPending}
      error={other}
      onSubmit={() => mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField label={texts.name} value={name} onChange={setName} error={fields['name']} required autoFocus />
      <TextField
        label={texts.code}
        hint={texts.codeHint}
        value={code}
        onChange={setTypedCode}
        error={fields['code']}
        required
        autoComplete="off"
        spellCheck={false}
      />
      {needsTemplate(type) && parent !== undefined && (
        <TemplateFields
          project={projectPathOf(parent)}
          type={type}
          value={template}
          onChange={setTemplate}
          errors={fields}
        />
      )}
      {type === 'project' && (
        <Select
          label={texts.projectType}
          value={projectType}
          onChange={setProjectType}
          error={fields['project_type']}
          options={Object.entries(texts.projectTypes)}
        />
      )}
      <TextArea label={texts.description} value={description} onChange={setDescription} error={fields['description']} />
    </FormDialog>
  )
}

const needsTemplate = (type: NodeType): boolean => type === 'asset' || type === 'agent'
