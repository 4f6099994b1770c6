import routes from '../routes.json' with { type: 'json' }

/** A path of the API, the methods of its routes, and which pages of other origins may read the answers. */
export interface KnownPath {
  readonly template: string
  readonly methods: readonly string[]
  readonly crossOrigin: keyof typeof routes
}

/** Every path of the API. The file, not a variable of the environment: all of a function's variables may have 4 KB. */
export const knownPaths: readonly KnownPath[] = (['any', 'registered', 'none'] as const).flatMap((crossOrigin) =>
  Object.entries<readonly string[]>(routes[crossOrigin]).map(([template, methods]) => ({
    template,
    methods,
    crossOrigin,
  })),
)
