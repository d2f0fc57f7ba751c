// OpenAI's SDKs for languages that are compiled.

import type { Recipe } from './recipe.ts'

const DIMS_OF_KEY =
  "With a stored credential, the key's own dimensions apply (`weir keys create --dim team=your-team`), or the header `X-SVC-Dims` is sent alone."

const toGo = (imports: string, options: string): string => `package main

import (
	"context"
	"fmt"
${imports}
	"github.com/openai/openai-go/v3"
${options === '' ? '' : '\t"github.com/openai/openai-go/v3/option"\n'})

func main() {
	client := openai.NewClient(${options})
	answer, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    "%MODEL%",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Choices[0].Message.Content)
}`

const GO_HEADERS = `
		option.WithHeader("X-SVC-API-Key", os.Getenv("WEIR_KEY")),
		option.WithHeader("X-SVC-Dims", "%DIMS%"),
	`

const toJava = (client: string): string => `import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;

public class Main {
  public static void main(String[] args) {
    OpenAIClient client = ${client};
    var params = ChatCompletionCreateParams.builder()
        .model("%MODEL%")
        .addUserMessage("Hello")
        .build();
    var answer = client.chat().completions().create(params);
    System.out.println(answer.choices().get(0).message().content().orElse(""));
    client.close();
  }
}`

export const COMPILED_RECIPES: readonly Recipe[] = [
  {
    id: 'openai-go',
    title: 'OpenAI SDK, Go',
    kind: 'library',
    packages: [{ from: 'go', name: 'github.com/openai/openai-go/v3', version: 'v3.91.1' }],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'go',
      text: toGo('\t"os"\n', GO_HEADERS),
    },
    stored: { variables: { OPENAI_BASE_URL: '%URL%' }, language: 'go', text: toGo('', '') },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls by the same option behind the parameters. ${DIMS_OF_KEY}`,
    limits: [
      'A stream reports its usage only where the request says so: `StreamOptions` with `IncludeUsage`. Without it, Weir counts the tokens from the text.',
    ],
  },
  {
    id: 'openai-java',
    title: 'OpenAI SDK, Java',
    kind: 'library',
    packages: [{ from: 'maven', name: 'com.openai:openai-java', version: '4.96.0' }],
    format: 'openai',
    provider: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    header: {
      variables: { OPENAI_BASE_URL: '%URL%', WEIR_KEY: '%KEY%' },
      language: 'java',
      text: toJava(`OpenAIOkHttpClient.builder()
        .fromEnv()
        .putHeader("X-SVC-API-Key", System.getenv("WEIR_KEY"))
        .putHeader("X-SVC-Dims", "%DIMS%")
        .build()`),
    },
    stored: {
      variables: { OPENAI_BASE_URL: '%URL%' },
      language: 'java',
      text: toJava('OpenAIOkHttpClient.fromEnv()'),
    },
    dims: `The header \`X-SVC-Dims\` beside the Weir key's, for every call of a client, or for single calls: \`putAdditionalHeader\` of the parameters. ${DIMS_OF_KEY}`,
    limits: [
      'A stream reports its usage only where the request says so: `streamOptions` with `includeUsage(true)`. Without it, Weir counts the tokens from the text.',
    ],
  },
]
