import { plainText } from './ansi.ts'

/**
 * Text of the lines that are selected in a log, without their numbers, the names of steps and terminal sequences. Lines
 * between the first and the last one are whole, also if only a part of them is drawn.
 *
 * @param log element that contains the drawn lines
 * @param messageAt text of the line at a row
 * @returns undefined if the selection is within one line, which the browser copies as it is
 */
export function selectedText(
  log: HTMLElement,
  selection: Selection | null,
  messageAt: (index: number) => string,
): string | undefined {
  if (!selection || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const rows = [...log.querySelectorAll<HTMLElement>('[data-line]')].filter(row => range.intersectsNode(row))
  if (rows.length < 2) return undefined
  return rows
    .map((row, i) => {
      const line = plainText(messageAt(Number(row.dataset['row'])))
      if (i > 0 && i < rows.length - 1) return line
      const text = row.querySelector('[data-text]')!
      return i === 0
        ? line.slice(lengthBefore(text, range.startContainer, range.startOffset))
        : line.slice(0, lengthBefore(text, range.endContainer, range.endOffset))
    })
    .join('\n')
}

/** Number of characters of a text that are before a point; 0 for a point before the text. */
function lengthBefore(text: Element, node: Node, offset: number): number {
  const part = document.createRange()
  part.selectNodeContents(text)
  const isBefore = part.comparePoint(node, offset) < 0
  const isBehind = part.comparePoint(node, offset) > 0
  if (isBefore) return 0
  if (!isBehind) part.setEnd(node, offset)
  return part.toString().length
}
