import { exploreStories } from './exploreStories.ts'

const [, , kind = '', pattern = '', share = '1'] = process.argv
const chosen = new RegExp(pattern)

/** `node runStories.ts singles|pairs PATTERN [SHARE]`: explores the stories whose names match, every fault or each third of them, and prints what came of it as JSON. */
if (kind !== 'singles' && kind !== 'pairs') throw new Error(`singles or pairs, not ${kind}`)
process.stdout.write(JSON.stringify(await exploreStories(kind, (name) => chosen.test(name), Number(share))))
