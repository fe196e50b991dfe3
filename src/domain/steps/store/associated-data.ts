/** Associated data of encrypted input arguments. */
export const inputAad = (id: string): string => `steps:${id}:input_arguments`

/** Associated data of encrypted outputs. */
export const outputsAad = (id: string): string => `steps:${id}:outputs`
