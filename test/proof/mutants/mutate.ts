import type { Node } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isIdentifier,
  isIfStatement,
  isNumericLiteral,
  isPropertyAssignment,
  isReturnStatement,
  isStringLiteral,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import { nameOf, nodesIn, type SourceTree } from '../../support/source/sourceTree.ts'

const kinds = {
  call: isCallExpression,
  case: isCaseClause,
  constant: isVariableStatement,
  if: isIfStatement,
  member: isPropertyAssignment,
  operation: isBinaryExpression,
  return: isReturnStatement,
  text: isStringLiteral,
} as const satisfies Record<string, (node: Node) => boolean>

/** A place in the code, found by its syntax: comments, formatting and moved lines do not matter. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string
  /** The function, method or constant that the place is in. */
  readonly within: string
  readonly kind: keyof typeof kinds
  /** Names, texts and numbers, all of which the place contains; the innermost such place is meant. */
  readonly mentions: readonly string[]
  /** The code in its place; a function of the code that is there, where it keeps some. */
  readonly replacement: string | ((code: string) => string)
}

/**
 * The source of a file with one edit made.
 * @throws Error where the place is not found exactly once: the list must follow the code
 */
export function mutate(tree: SourceTree, edit: Edit): string {
  const { file, within, kind, mentions, replacement } = edit
  const source = tree.sourceOf(file)
  const place = theOnly(`${file}: ${within}`, declarationsOf(tree.nodesOf(file), within))
  const matching = nodesIn(place).filter((node) => kinds[kind](node) && mentionsAll(node, mentions))
  const innermost = matching.filter((node) => !matching.some((other) => other !== node && isInside(other, node)))
  const node = theOnly(`${file}: ${kind} in ${within} that mentions ${mentions.join(', ')}`, innermost)
  const [start, end] = [node.getStart(source), node.getEnd()]
  const code = source.text.slice(start, end)
  const changed = typeof replacement === 'string' ? replacement : replacement(code)
  return source.text.slice(0, start) + changed + source.text.slice(end)
}

/** The outermost declarations of a name; members of an object only where nothing else is called so. */
function declarationsOf(nodes: readonly Node[], name: string): Node[] {
  const named = nodes.filter((node) => nameOf(node) === name)
  const declared = named.some((node) => !isPropertyAssignment(node))
    ? named.filter((node) => !isPropertyAssignment(node))
    : named
  return declared.filter((node) => !declared.some((other) => other !== node && isInside(node, other)))
}

function isInside(node: Node, other: Node): boolean {
  return other.pos <= node.pos && node.end <= other.end
}

function mentionsAll(node: Node, mentions: readonly string[]): boolean {
  const words = nodesIn(node).flatMap((inner) =>
    isIdentifier(inner) || isStringLiteral(inner) || isNumericLiteral(inner) ? [inner.text] : [],
  )
  return mentions.every((word) => words.includes(word))
}

function theOnly(what: string, found: readonly Node[]): Node {
  const [node] = found
  if (node === undefined || found.length > 1) throw new Error(`found ${found.length} times instead of once: ${what}`)
  return node
}
