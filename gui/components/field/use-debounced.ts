import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Text of a field whose changes are reported once typing rests; changes from outside (Back, a link) replace it.
 *
 * @returns the text and its setter, as useState does
 */
export function useDebounced(
  value: string,
  onRest: (value: string) => void,
  milliseconds = 250,
): [string, (value: string) => void] {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  const report = useEffectEvent(onRest)
  useEffect(() => {
    if (text === value) return
    // A link may have been followed meanwhile, and its page still be loading: a report would lead back from there.
    const page = location.pathname
    const timer = setTimeout(() => page === location.pathname && report(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, value, milliseconds])
  return [text, setText]
}
