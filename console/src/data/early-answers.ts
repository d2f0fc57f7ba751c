// Answers that public/first.js asked for before this script had come. Must stay true: each is given once, and none after
// the first page is drawn, for a later question wants a later answer.

interface Early {
  readonly weirEarly?: Map<string, Promise<Response>>
}

const { weirEarly: answers } = globalThis as Early

export function takeEarlyAnswer(path: string): Promise<Response> | undefined {
  const answer = answers?.get(path)
  answers?.delete(path)
  return answer
}

export function dropEarlyAnswers(): void {
  answers?.clear()
}
