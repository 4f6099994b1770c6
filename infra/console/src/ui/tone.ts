/** How a state is colored. Its text says it too: nothing depends on the color alone. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral'
