import { useEffect, useState } from 'react'
import type { Language } from '../../components/editor/place.ts'
import type { Data } from './data.ts'
import { documentText } from './document-text.ts'

interface Made {
  readonly data: Data
  readonly language: Language
  readonly text: string
}

/** Text of a document; undefined until it is made, which needs code that is loaded first. */
export function useDocumentText(data: Data | undefined, language: Language): string | undefined {
  const [made, setMade] = useState<Made>()
  useEffect(() => {
    if (data === undefined) return
    let isCurrent = true
    documentText(data, language).then(
      text => isCurrent && setMade({ data, language, text }),
      error =>
        setMade(() => {
          throw error
        }),
    )
    return () => {
      isCurrent = false
    }
  }, [data, language])
  return made !== undefined && made.data === data && made.language === language ? made.text : undefined
}
