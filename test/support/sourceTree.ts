import { relative } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isFunctionDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

/** The syntax trees of a TypeScript project, read by the compiler; `close` ends its process. */
export interface SourceTree {
  /** Every file of the project, from its root. */
  readonly files: readonly string[]
  /** @throws Error for a file that is not in the project */
  sourceOf(file: string): SourceFile
  /** Every node of a file, in the order of its text. */
  nodesOf(file: string): Node[]
  close(): void
}

/** @param root the folder of `tsconfig.json`, with a slash at its end */
export function openSourceTree(root: string): SourceTree {
  const api = new API({ cwd: root })
  const program = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects()[0]?.program
  function sourceOf(file: string): SourceFile {
    const source = program?.getSourceFile(`${root}${file}`)
    if (source === undefined) throw new Error(`${file} is not in the project of ${root}`)
    return source
  }
  return {
    files: (program?.getSourceFileNames() ?? []).map((name) => relative(root, name)),
    sourceOf,
    nodesOf: (file) => nodesIn(sourceOf(file)),
    close: () => api.close(),
  }
}

/** A node and everything inside it, in the order of the text. */
export function nodesIn(node: Node): Node[] {
  const nodes: Node[] = []
  const walk = (inner: Node): void => {
    nodes.push(inner)
    inner.forEachChild(walk)
  }
  walk(node)
  return nodes
}

/** The name that a function, a method, a variable or a member of an object is declared under; empty for any other node. */
export function nameOf(node: Node): string {
  const isNamed = isFunctionDeclaration(node) || isMethodDeclaration(node) || isVariableDeclaration(node)
  if (!isNamed && !isPropertyAssignment(node)) return ''
  return node.name && (isIdentifier(node.name) || isStringLiteral(node.name)) ? node.name.text : ''
}
