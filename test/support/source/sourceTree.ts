import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
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

/**
 * Reads the files and nothing that they import: with the packages and their types it takes ten times as long.
 * @param root the folder of `tsconfig.json`, with a slash at its end
 * @param folders of the project, from its root; all if left out
 */
export function openSourceTree(root: string, folders?: readonly string[]): SourceTree {
  const own = mkdtempSync(join(tmpdir(), 'source-tree-'))
  const project = join(own, 'tsconfig.json')
  const compilerOptions = { noResolve: true, noLib: true, types: [] }
  const include = folders && { include: folders.map((folder) => join(root, folder)) }
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, ...include }))
  const api = new API({ cwd: root })
  const program = api.updateSnapshot({ openProjects: [project] }).getProjects()[0]?.program
  rmSync(own, { recursive: true })
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
