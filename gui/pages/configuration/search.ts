/** Search parameters of the tabs for properties and settings. */
export interface ConfigurationSearch {
  /** Part of the tab; without it, the effective values. */
  readonly view?: ConfigurationView
  /** JSON pointer of the value that is explained: `/web/port`. */
  readonly pointer?: string
  /** JSON pointer of the property that the dialog for an encrypted value is open for; empty if none is chosen yet. */
  readonly encrypt?: string
  /** Time whose configuration is shown, as `converge_date` of the API takes it. */
  readonly at?: string
  /** Words that the leaves shown contain. */
  readonly filter?: string
  /** Version that is shown in the history. */
  readonly version?: number
  /** Version with which it is compared; by default the one before. */
  readonly against?: number
}

type ConfigurationView = 'own' | 'text' | 'history'
const views: readonly unknown[] = ['own', 'text', 'history'] satisfies ConfigurationView[]

/** Reads the search parameters of an address; what is malformed is left out. */
export function readConfigurationSearch(search: Readonly<Record<string, unknown>>): ConfigurationSearch {
  const { view, pointer, encrypt, at, filter, version, against } = search
  return {
    ...(views.includes(view) && { view: view as ConfigurationView }),
    ...(isPointer(pointer) && { pointer }),
    ...(isPointer(encrypt) && { encrypt }),
    ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) && { at }),
    ...((typeof filter === 'number' || typeof filter === 'string') && filter !== '' && { filter: String(filter) }),
    ...(isVersion(version) && { version }),
    ...(isVersion(against) && { against }),
  }
}

const isPointer = (value: unknown): value is string => typeof value === 'string' && /^(\/([^~]|~[01])*)?$/.test(value)

const isVersion = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
