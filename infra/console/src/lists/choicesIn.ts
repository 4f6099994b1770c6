/**
 * The attributes of the fields of a filter.
 * @param onChange gets the filter with the field's new value
 */
export function choicesIn<Filter>(filter: Filter, onChange: (filter: Filter) => void) {
  return <Name extends keyof Filter>(name: Name) => ({
    value: filter[name],
    onChange: (chosen: Filter[Name]) => onChange({ ...filter, [name]: chosen }),
  })
}
