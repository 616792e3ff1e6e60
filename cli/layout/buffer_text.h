// Prints the memory that a tensor takes on a card, and the place of an element
// there, as names and values.
//
//   TensorBuffer buffer;                     // of a tensor in 12 banks
//   buffer.set_banks(12);
//   buffer.set_pages(18);
//   buffer.set_page_bytes(2048);
//   buffer.set_aligned_page_bytes(2048);
//   BufferFacts(buffer)[0].second;           // "18 of 2048 B"

#ifndef TESSERA_CLI_LAYOUT_BUFFER_TEXT_H_
#define TESSERA_CLI_LAYOUT_BUFFER_TEXT_H_

#include "proto/layout_questions.pb.h"
#include "tessera/cli/output/fact.h"

namespace tessera::cli {

// Returns the pages, the content, the bytes taken, and the cores of shards.
Facts BufferFacts(const TensorBuffer& buffer);

// Returns the page, and the bank or core, of an element.
Facts BufferLocationFacts(const BufferLocation& location,
                          const TensorBuffer& buffer);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_BUFFER_TEXT_H_
