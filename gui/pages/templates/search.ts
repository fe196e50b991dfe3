/** Filters of the list of templates, as its address holds them. */
export interface TemplatesSearch {
  /** Part of the name or of the code. */
  readonly q?: string
  /** The dialog for a new template is open. */
  readonly new?: true
}

export const readTemplatesSearch = ({ q, new: isNew }: Readonly<Record<string, unknown>>): TemplatesSearch => ({
  ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
  ...(isNew === true && { new: true as const }),
})

/** Tab of a template's page. */
export interface TemplateSearch {
  readonly tab?: 'nodes'
}

export const readTemplateSearch = ({ tab }: Readonly<Record<string, unknown>>): TemplateSearch =>
  tab === 'nodes' ? { tab } : {}
