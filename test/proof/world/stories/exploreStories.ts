import * as z from 'zod'
import { describeFinding, explorePairs, exploreSingles, nothingExplored } from '../faults/exploreFaults.ts'
import { playStory } from '../faults/faultRun.ts'
import { createStories, storyNames } from './createStories.ts'

/** What came of one story: how it goes where nothing fails, and what was found where something did. */
const storyExplored = z.object({
  name: z.string(),
  awaits: z.array(z.string()),
  /** Where nothing fails. */
  broken: z.array(z.string()),
  repeats: z.number(),
  expectedRepeats: z.number(),
  findings: z.array(z.string()),
})
export const storiesExplored = z.object({
  names: z.array(z.string()),
  stories: z.array(storyExplored),
  runs: z.number(),
  firsts: z.number(),
  played: z.number(),
  mostRepeats: z.number(),
  reached: z.array(z.string()),
})
export type StoriesExplored = z.infer<typeof storiesExplored>

/** Of the ways to heal single faults, and of the first faults of pairs, the shares that every run of the tests plays: the model explores in full there. */
const shares = { singles: 20, pairs: 16 }
type Kind = keyof typeof shares

/** Plays these stories with every fault, or a share of the faults, or of the pairs of them, at their awaits. */
export async function exploreStories(
  kind: Kind,
  chosen: (name: string) => boolean,
  share = 1,
): Promise<StoriesExplored> {
  const explored = nothingExplored()
  const stories: StoriesExplored['stories'] = []
  for (const story of await createStories(chosen)) {
    const {
      firstAwaits: awaits,
      broken,
      repeats,
    } = await playStory(story, [], {
      by: 'the same request',
      gap: '+1 min',
      webhooks: 'after',
    })
    if (kind === 'singles') await exploreSingles({ story, awaits, explored }, shares.singles, share)
    else await explorePairs({ story, awaits, explored }, shares.pairs)
    stories.push({
      name: story.name,
      awaits: awaits.map((at) => at.replace(/^\d+\//, '')),
      broken,
      repeats,
      expectedRepeats: story.repeats,
      findings: [...explored.findings.values()].filter((finding) => finding.story === story.name).map(describeFinding),
    })
  }
  const { runs, firsts, played, mostRepeats, reached } = explored
  return {
    names: storyNames,
    stories,
    runs,
    firsts,
    played,
    mostRepeats,
    reached: [...reached].toSorted(),
  }
}
