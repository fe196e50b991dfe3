/** Arguments of an input step, as the API shows them, and the values of the form for them. */

export interface InputArgument {
  readonly name: string
  readonly type: 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'array' | 'object'
  readonly required: boolean
  readonly sensitive: boolean
  readonly label?: string
  readonly description?: string
  /** JSON pointer in the properties of the change under which the value is put. */
  readonly path: string
  readonly default_value?: unknown
  readonly valid_values?: readonly unknown[]
}

/** Field of the form for one argument. */
export interface ArgumentField {
  /** Name of the value in the request: the argument's name, or its path and name if two have the same name. */
  readonly key: string
  /** JSON pointer that errors of the value name. */
  readonly pointer: string
  readonly argument: InputArgument
  /** Values to choose from, as JSON; undefined for a text field. */
  readonly choices: readonly string[] | undefined
  readonly initial: string
}

/** What the API shows for the default and the valid values of a sensitive argument. */
const hidden = '{{hidden}}'

/** Fields for the `input_arguments` of a step; empty if it asks for nothing. */
export function argumentFields(shown: unknown): ArgumentField[] {
  const asked = Array.isArray(shown) ? (shown as InputArgument[]) : []
  return asked.map(argument => {
    const { name, path, type, valid_values: valid, default_value: byDefault, sensitive } = argument
    const isAlone = asked.filter(each => each.name === name).length === 1
    const key = isAlone ? name : `${path}/${escaped(name)}`
    const values = Array.isArray(valid) ? valid : type === 'boolean' && !sensitive ? [true, false] : undefined
    const choices = values?.map(each => JSON.stringify(each))
    return {
      key,
      pointer: `/data/attributes/input_arguments/${escaped(key)}`,
      argument,
      choices,
      initial:
        byDefault === undefined || byDefault === hidden ? '' : choices ? JSON.stringify(byDefault) : text(byDefault),
    }
  })
}

/** Values to send, by the fields' texts. The API converts texts to the type of their argument; empty ones are left out. */
export function givenArguments(
  fields: readonly ArgumentField[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ key, choices, initial }) => {
      const value = texts[key] ?? initial
      return value === '' ? [] : [[key, choices ? (JSON.parse(value) as unknown) : value]]
    }),
  )
}

/** Whether the argument has a default, shown or hidden. */
export const hasDefault = ({ default_value: value }: InputArgument): boolean => value !== undefined

/** Text of a value, for people: texts without quotes, anything else as JSON. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
