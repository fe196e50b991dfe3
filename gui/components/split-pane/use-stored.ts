import { useState } from 'react'

/** State that the browser keeps for the next visit. A stored value that `isValid` refuses is ignored. */
export function useStored<Value>(
  key: string,
  initial: Value,
  isValid: (value: unknown) => boolean,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => read(key, isValid) ?? initial)
  return [
    value,
    next => {
      localStorage.setItem(key, JSON.stringify(next))
      setValue(next)
    },
  ]
}

function read<Value>(key: string, isValid: (value: unknown) => boolean): Value | undefined {
  const text = localStorage.getItem(key)
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isValid(value) ? (value as Value) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
