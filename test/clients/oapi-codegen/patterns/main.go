// Prints what RE2 finds of the patterns in the file that it is given: a list of lists of booleans.
package main

import (
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var given struct {
		Patterns []string `json:"patterns"`
		Samples  []string `json:"samples"`
	}
	if err := json.Unmarshal(text, &given); err != nil {
		panic(err)
	}
	found := [][]bool{}
	for _, pattern := range given.Patterns {
		compiled := regexp.MustCompile(pattern)
		matches := []bool{}
		for _, sample := range given.Samples {
			matches = append(matches, compiled.MatchString(sample))
		}
		found = append(found, matches)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}
