import { exploreStories } from './exploreStories.ts'

const [, , kind = '', pattern = ''] = process.argv
const chosen = new RegExp(pattern)

/** `node runStories.ts singles|pairs PATTERN`: explores the stories whose names match, and prints what came of it as JSON. */
if (kind !== 'singles' && kind !== 'pairs') throw new Error(`singles or pairs, not ${kind}`)
process.stdout.write(JSON.stringify(await exploreStories(kind, (name) => chosen.test(name))))
