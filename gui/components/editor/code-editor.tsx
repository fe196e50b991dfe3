import { useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import styles from './editor.module.css'
import { type MountedEditor, mountEditor } from './mount-editor.ts'
import type { EditorProps } from './props.ts'

/** Editor once its code is loaded. Label, language and `readOnly` replace the editor; everything else is updated in place. */
export default function CodeEditor(props: EditorProps) {
  const { label, value, language, readOnly = false, problems, completion, reveal, size = 'content' } = props
  const host = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedEditor>(undefined)
  const onChange = useEffectEvent((text: string) => props.onChange?.(text))
  const onSave = useEffectEvent(() => props.onSave?.())
  const onSubmit = useEffectEvent(() => props.onSubmit?.())
  const initial = useEffectEvent(() => ({ value, problems, completion }))

  useEffect(() => {
    if (!host.current) return
    const editor = mountEditor(host.current, {
      label,
      language,
      readOnly,
      value: initial().value,
      // Rendered at once: a key pressed right behind, such as Ctrl S, acts on this text.
      onChange: text => flushSync(() => onChange(text)),
      onSave: () => onSave(),
      onSubmit: () => onSubmit(),
    })
    editor.setProblems(initial().problems ?? [])
    editor.setCompletion(initial().completion)
    mounted.current = editor
    return () => editor.destroy()
  }, [label, language, readOnly])

  useEffect(() => mounted.current?.setValue(value), [value])
  useEffect(() => mounted.current?.setProblems(problems ?? []), [problems])
  useEffect(() => mounted.current?.setCompletion(completion), [completion])
  useEffect(() => {
    if (reveal) mounted.current?.reveal(reveal.line, reveal.column)
  }, [reveal])

  return <div ref={host} className={`${styles['editor']} ${styles[size]}`} data-keys="editor" />
}
