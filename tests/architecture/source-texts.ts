import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

/** Comment, or piece of text in a string or template literal. */
export interface SourceText {
  readonly kind: 'doc comment' | 'comment' | 'text'
  readonly line: number
  /** Content without comment markers, with line breaks as single spaces. */
  readonly text: string
}

/** Comments and literal texts of a TypeScript file, in their order. */
export function sourceTexts(source: string): SourceText[] {
  const scanner = createScanner(false, undefined, source)
  const found: SourceText[] = []
  /** Open braces; `template` for a brace that `${` opened. */
  const braces: ('block' | 'template')[] = []
  let line = 1
  let lineUntil = 0
  let operandExpected = true
  const add = (kind: SourceText['kind'], text: string) => {
    for (const start = scanner.getTokenStart(); lineUntil < start; lineUntil++)
      if (source[lineUntil] === '\n') line += 1
    found.push({ kind, line, text: text.replace(/\s+/g, ' ').trim() })
  }
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    if (operandExpected && (token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken))
      token = scanner.reScanSlashToken()
    if (token === SyntaxKind.CloseBraceToken && braces.pop() === 'template') token = scanner.reScanTemplateToken(false)
    const text = scanner.getTokenText()
    switch (token) {
      case SyntaxKind.WhitespaceTrivia:
      case SyntaxKind.NewLineTrivia:
        continue
      case SyntaxKind.SingleLineCommentTrivia:
        add('comment', text.slice(2))
        continue
      case SyntaxKind.MultiLineCommentTrivia: {
        const content = text.slice(2, -2).replace(/\n\s*\*/g, '\n')
        if (text.startsWith('/**')) add('doc comment', content.slice(1))
        else add('comment', content)
        continue
      }
      case SyntaxKind.OpenBraceToken:
        braces.push('block')
        break
      case SyntaxKind.TemplateHead:
      case SyntaxKind.TemplateMiddle:
        braces.push('template')
        add('text', scanner.getTokenValue())
        break
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral:
      case SyntaxKind.TemplateTail:
        add('text', scanner.getTokenValue())
        break
    }
    operandExpected = !endsOperand(token)
  }
  return found
}

/** Whether a slash after the token divides; otherwise it begins a regular expression. */
const endsOperand = (token: SyntaxKind): boolean =>
  operandEnds.has(token) || token === SyntaxKind.Identifier || token === SyntaxKind.ThisKeyword

const operandEnds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
])
