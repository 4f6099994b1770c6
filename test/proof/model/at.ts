/**
 * The member at `index`.
 * @throws where there is none
 */
export function at<Member>(list: readonly Member[], index: number): Member {
  const member = list[index]
  if (member === undefined) throw new Error(`Nothing at ${index}`)
  return member
}
