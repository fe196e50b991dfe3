import { type ListParameters, listParameters } from '../../components/list/list-parameters.ts'

/** Filters of the list of templates, as its address holds them. */
export interface TemplatesSearch extends ListParameters {
  /** Part of the name or of the code. */
  readonly q?: string
  /** The dialog for a new template is open. */
  readonly new?: true
}

export const readTemplatesSearch = ({
  q,
  new: isNew,
  ...others
}: Readonly<Record<string, unknown>>): TemplatesSearch => ({
  ...listParameters(others),
  ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
  ...(isNew === true && { new: true as const }),
})

/** The part of an address that a saved view keeps. */
export const templatesState = ({ q, columns }: TemplatesSearch): TemplatesSearch => ({
  ...(q !== undefined && { q }),
  ...(columns !== undefined && { columns }),
})

/** Tab of a template's page. */
export interface TemplateSearch {
  readonly tab?: 'nodes'
}

export const readTemplateSearch = ({ tab }: Readonly<Record<string, unknown>>): TemplateSearch =>
  tab === 'nodes' ? { tab } : {}

/** Event that is open on the page of a version. */
export interface VersionSearch {
  readonly event?: string
}

export const readVersionSearch = ({ event }: Readonly<Record<string, unknown>>): VersionSearch =>
  typeof event === 'string' ? { event } : {}
