/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* FIPS 180-4's examples (NIST, "SHA256.pdf" and "SHA2_Additional.pdf"). */
Test(sha256, examples_of_the_standard)
{
	static const struct {
		const char *text, *digest;
	} examples[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
		  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
	};
	char hex[SHA256_HEX_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		sha256_hex(examples[i].text, strlen(examples[i].text), hex);
		cr_expect_str_eq(hex, examples[i].digest, "'%s'", examples[i].text);
	}
}

/* Around the ends of a block, where the padding takes one block or two; from coreutils' sha256sum.
 */
Test(sha256, lengths_around_the_block)
{
	static const struct {
		size_t len;
		const char *digest;
	} runs[] = {
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
		{ 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
		{ 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c" },
		{ 128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e" },
		{ 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	};
	char hex[SHA256_HEX_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		/* of exactly this size, so that a sanitizer sees a byte too many */
		_cleanup_free_ char *text = malloc(runs[i].len);

		cr_assert_not_null(text);
		memset(text, 'a', runs[i].len);
		sha256_hex(text, runs[i].len, hex);
		cr_expect_str_eq(hex, runs[i].digest, "%zu bytes", runs[i].len);
	}
}

Test(sha256, nothing_at_all_may_be_null)
{
	char hex[SHA256_HEX_SIZE];

	sha256_hex(NULL, 0, hex);
	cr_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
