/** The sorting of a table, `-created_at`, as the API takes it: `created_at desc`. */
export const sortsParameter = (sort: string): string => (sort.startsWith('-') ? `${sort.slice(1)} desc` : sort)
